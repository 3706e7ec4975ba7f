from lifelong import ConjunctionBox, OnlineMetafeatures, PolynomialBox, learn_polynomial, learn_stream


def price(x):  # of a journey, by what is booked
    return 40 + 15 * x[0] + 9 * (x[1] and x[2]) - 5 * (x[0] and x[1] and x[2])


box = PolynomialBox(price, 5, terms=4)
found, counts = learn_polynomial(box)
print(found, counts, box.reach, sep="\n")
keys = (0, 1, 2), (2, 3), (0, 1, 2, 3)
doors = [ConjunctionBox(lambda x, key=key: all(x[i] for i in key), 20, rng=0) for key in keys]
run = learn_stream(doors, OnlineMetafeatures(20))
print(run.how, run.steps[-1].hypothesis.nonzero()[0], run.counts.equivalence)
