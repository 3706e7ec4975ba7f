const slides = [...document.querySelectorAll('section')], number = document.getElementById('number')
let at = Math.min(slides.length, Math.max(1, parseInt(location.hash.slice(1)) || 1)) - 1
function show(next) {
  at = Math.min(slides.length - 1, Math.max(0, next))
  slides.forEach((slide, i) => slide.classList.toggle('now', i === at))
  number.textContent = `${at + 1} / ${slides.length}`
  history.replaceState(null, '', `#${at + 1}`)
}
const own = target => target.closest('.moving, .board, input, button, select, a, summary, [tabindex]')
document.addEventListener('keydown', event => {
  if (own(event.target)) return
  const step = { ArrowRight: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, PageUp: -1 }[event.key]
  if (step) { event.preventDefault(); show(at + step) }
  if (event.key === 'Home') show(0)
  if (event.key === 'End') show(slides.length - 1)
})
document.addEventListener('click', event => {
  if (!own(event.target)) show(at + (event.clientX < innerWidth / 3 ? -1 : 1))
})
show(at)
