// A code cell tagged beside-box and the box above it stand side by side. A step of the box, by its number, and the lines
// below a comment with that number, `# 2a`, light up together. Without scripts they stand one below the other.
const letters = "abcdefghijklmnopqrstuvwxyz";
function numberOf(item) {
  const list = item.parentElement, at = (list.start || 1) + [...list.children].indexOf(item);
  const outer = list.parentElement.closest("li");
  return outer ? numberOf(outer) + letters[at - 1] : `${at}`;
}
for (const cell of document.querySelectorAll(".cell.tag_beside-box")) {
  const left = [];
  let box = cell.previousElementSibling;
  while (box && !box.matches(".proof, .admonition") && !box.matches(".cell, h2, h3")) {
    left.unshift(box);
    box = box.previousElementSibling;
  }
  if (!box?.matches(".proof, .admonition") || left.length > 3) continue;
  const pair = document.createElement("div"), beside = document.createElement("div");
  pair.className = "box-and-code";
  box.before(pair);
  beside.append(box, ...left);
  pair.append(beside, cell);

  const steps = {};
  const pre = cell.querySelector(".cell_input pre");
  pre.innerHTML = pre.innerHTML.split("\n").map(line => `<span class="line">${line}</span>`).join("\n");
  let step = null;
  for (const line of pre.querySelectorAll(".line")) {
    if (/^(def|class)\b/.test(line.textContent)) step = null;
    step = line.textContent.match(/#\s*(\d+[a-z]?)\b/)?.[1] ?? step;
    if (step && line.textContent.trim()) (steps[step] ??= []).push(line);
  }
  for (const item of beside.querySelectorAll("ol li")) {
    const number = numberOf(item);
    if (!steps[number]) continue;
    item.tabIndex = 0;
    steps[number].push(item);
  }
  for (const together of Object.values(steps)) {
    for (const part of together) {
      for (const [event, lit] of [["mouseover", true], ["mouseout", false], ["focus", true], ["blur", false]]) {
        part.addEventListener(event, e => {
          e.stopPropagation();
          together.forEach(other => other.classList.toggle("lit", lit));
        });
      }
    }
  }
}
