import numpy as np
from sklearn.datasets import load_breast_cancer

from lifelong import PoolTask, Sampled, SharedSubspace, learn_stream
from lifelong.halfspaces.oracles import Labels

table, kind = load_breast_cancer(return_X_y=True)
X = np.column_stack([(table - table.mean(axis=0)) / table.std(axis=0), np.ones(len(table))])
rules = [X[:, 0] > cut for cut in (-0.5, 0.0, 0.5, 1.0)] + [kind == 0]
sold, test = np.split(np.random.default_rng(0).permutation(len(X)), [400])
tasks = [PoolTask(X[sold], y[sold], test=(X[test], y[test]), rng=0) for y in rules]
oracle = Sampled(labels=Labels(fit=1, holdout=3, scratch=0.1))
run = learn_stream(tasks, SharedSubspace(X.shape[1], 0.1, oracle=oracle))
for task, step in zip(tasks, run.steps, strict=True):
    print(step.how, step.labels, task.left, f"{task.error(step.hypothesis):.3f}")
