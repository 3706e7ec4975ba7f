(() => {
  const SVG = "http://www.w3.org/2000/svg", GLIDE = 600;
  const calm = matchMedia("(prefers-reduced-motion: reduce)"), paper = matchMedia("print");
  function start(root) {
    root.dataset.on = "";
    const none = root.querySelector("noscript"), made = root.querySelector("script[type='text/html']");
    if (made) { none.remove(); made.outerHTML = made.textContent; }
    const data = JSON.parse(root.querySelector("script[type='application/json']").textContent);
    const one = name => root.querySelector(name), layer = one(".marks"), said = one("output");
    const controls = [...root.querySelectorAll(".control")], counts = data.labels.map(l => l.length), at = [...data.start], moved = [];
    let timer = 0, playing;
    // a text is a shape without its numbers, and the numbers
    const text = ([shape, numbers]) => { const n = numbers.split(" "); return data.shapes[shape].replace(/¤/g, () => n.shift()); };
    const run = r => { const [from, to = from] = r.split("-"); return Array.from({length: to - from + 1}, (_, i) => JSON.parse(text(data.marks[+from + i]))); };
    const dress = (e, m) => { for (const a in m[2]) e.setAttribute(a, m[2][a]); if (m[3]) e.textContent = m[3]; return e; };
    const make = m => { const e = document.createElementNS(SVG, m[1]); e.dataset.k = m[0]; e.setAttribute("opacity", 1); return dress(e, m); };
    function draw(marks, time) {
      if (!time || calm.matches || !window.d3?.transition) return layer.replaceChildren(...marks.map(make));
      d3.select(layer).selectAll("[data-k]").data(marks, function (m) { return m ? m[0] : this.dataset.k; }).join(
        enter => enter.append(make).attr("opacity", 0).call(e => e.transition().duration(time).attr("opacity", 1)),
        update => update.each(function (m) {
          this.setAttribute("class", m[2].class);
          if (m[3]) this.textContent = m[3];
          const t = d3.select(this).transition().duration(time).attr("opacity", 1);
          for (const a in m[2]) if (a !== "class") t.attr(a, m[2][a]);
        }),
        exit => exit.transition().duration(time / 2).attr("opacity", 0).remove());
    }
    function show(where, time) {
      const [shape, numbers, runs] = data.frames[where.reduce((n, v, i) => n * counts[i] + v, 0)];
      said.textContent = text([shape, numbers]);
      said.style.minHeight = Math.max(said.offsetHeight, parseFloat(said.style.minHeight) || 0) + "px";
      draw(runs.split(" ").flatMap(run), time);
      controls.forEach((c, i) => {
        const v = where[i], label = data.labels[i][v], range = c.querySelector("[type=range]"), b = c.querySelectorAll("button");
        if (!range) { c.querySelectorAll("input")[v].checked = true; return; }
        range.value = v; range.setAttribute("aria-valuetext", label); c.querySelector("b").textContent = label;
        b[0]?.setAttribute("aria-disabled", !v); b[b.length - 1]?.setAttribute("aria-disabled", v === counts[i] - 1);
      });
    }
    function stop() {
      clearInterval(timer); timer = 0;
      if (playing) playing.textContent = "Play";
      said.setAttribute("aria-live", "polite");
    }
    function go(i, v, time = GLIDE) {
      if (v < 0 || v >= counts[i] || v === at[i]) return;
      at[i] = v; moved[i] = 1; show(at, time);
    }
    controls.forEach((c, i) => {
      const end = counts[i] - 1;
      c.querySelectorAll("input").forEach((e, n) => e.addEventListener("input", () => { stop(); go(i, e.type === "radio" ? n : +e.value, GLIDE / 2); }));
      const step = by => () => { stop(); go(i, at[i] + by); }, [back, next, play] = ["back", "next", "play"].map(n => c.querySelector("." + n));
      back?.addEventListener("click", step(-1)); next?.addEventListener("click", step(1));
      play?.addEventListener("click", () => {
        if (timer) return stop();
        const pace = +c.dataset.pace, tick = () => { go(i, at[i] + 1, Math.min(GLIDE, .6 * pace)); if (at[i] === end) stop(); };
        playing = play; play.textContent = "Pause"; said.setAttribute("aria-live", "off");
        timer = setInterval(tick, pace);
        // anew, unless the reader has moved it
        at[i] && (!moved[i] || at[i] === end) ? go(i, 0) : tick();
      });
    });
    const print = on => { stop(); show(on ? data.start : at, 0); };
    paper.addEventListener("change", e => print(e.matches));
    addEventListener("beforeprint", () => print(true)); addEventListener("afterprint", () => print(false));
    show(at, 0);
  }
  document.querySelectorAll(".moving:not([data-on])").forEach(start);
})();
