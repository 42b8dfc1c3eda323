"""Scores of scikit-learn's tf-idf and LinearSVC, for tools/bench/topic/sklearn.ts.

Reads one JSON object a line and answers each with one:
  {"texts": [...]}                                      -> {"ready": number of texts}
  {"positives": [...], "others": [...], "test": [...]}  -> {"scores": [...]}, numbers being places in texts

Words and pairs of words are counted once for all texts. For each problem the vocabulary is cut to what occurs in two training texts and the inverse
document frequencies are taken from the training texts alone, which is what TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=2)
fitted on them would do.
"""

import json
import sys

import numpy
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.svm import LinearSVC

MIN_DF = 2


def scores(counts, positives, others, test):
    training = counts[positives + others]
    columns = numpy.flatnonzero(numpy.bincount(training.indices, minlength=training.shape[1]) >= MIN_DF)
    transformer = TfidfTransformer(sublinear_tf=True)
    features = transformer.fit_transform(training[:, columns])
    labels = numpy.array([1] * len(positives) + [0] * len(others))
    model = LinearSVC(class_weight="balanced", random_state=0)
    model.fit(features, labels)
    return model.decision_function(transformer.transform(counts[test][:, columns])).tolist()


def main():
    counts = None
    for line in sys.stdin:
        asked = json.loads(line)
        if "texts" in asked:
            counts = CountVectorizer(ngram_range=(1, 2), dtype=numpy.int32).fit_transform(asked["texts"]).tocsr()
            answer = {"ready": counts.shape[0]}
        else:
            answer = {"scores": scores(counts, asked["positives"], asked["others"], asked["test"])}
        print(json.dumps(answer), flush=True)


main()
