"""Pictures of the page on letters."""

from lifelong_book.conjunctions.consistency import pictures
from lifelong_book.press.style import drawn

#: The letters, and the components with their anchor numbers.
alphabet, components = drawn(pictures.alphabet), drawn(pictures.components)
