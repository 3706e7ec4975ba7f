import numpy as np

from lifelong import ConjunctionTask, OnlineMetafeatures, bits, learn_stream, metafeatures, represent

digits = ["abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg"]
pixels = {"a": [1], "b": [5, 8], "c": [11, 14], "d": [16], "e": [9, 12], "f": [3, 6], "g": [10]}
images = np.zeros((10, 18), dtype=int)
for image, lit in zip(images, digits, strict=True):
    image[[pixel for segment in lit for pixel in pixels[segment]]] = 1
pieces = metafeatures(bits(images))
print([np.flatnonzero(piece).tolist() for piece in pieces])
print(all(represent(image, pieces) is not None for image in bits(images)))
run = learn_stream(map(ConjunctionTask, bits(images)), OnlineMetafeatures(18))
print(run.how.count("scratch"), run.how[-1], run.counts.equivalence)
