"""Scores of scikit-learn's tf-idf and LinearSVC, for tools/bench/topic/sklearn.ts.

Reads one JSON object a line and answers each with one:
  {"texts": [...]}                                      -> {"ready": number of texts}
  {"positives": [...], "others": [...], "test": [...]}  -> {"scores": [...]}, numbers being places in texts

Words and pairs of words (of a Chinese text: characters and pairs of them) are counted once for all texts. For each problem the vocabulary is cut to what occurs in two training texts and the inverse
document frequencies are taken from the training texts alone, which is what TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=2)
fitted on them would do.
"""

import json
import re
import sys

import numpy
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.svm import LinearSVC

MIN_DF = 2
HAN = re.compile("[\u3400-\u9fff]")
WORD = re.compile(r"(?u)\b\w\w+\b")
# As many of a text's characters are Han in a text that is read by characters.
HAN_SHARE = 0.25


def tokens(text):
    """Words, or characters of a Chinese text, as TfidfVectorizer's analyzers 'word' and 'char' have them; and pairs of them."""
    lowered = text.lower()
    visible = re.sub(r"\s", "", lowered)
    is_chinese = len(HAN.findall(visible)) > HAN_SHARE * len(visible)
    single = list(visible) if is_chinese else WORD.findall(lowered)
    return single + [f"{a} {b}" for a, b in zip(single, single[1:])]


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
            counts = CountVectorizer(analyzer=tokens, dtype=numpy.int32).fit_transform(asked["texts"]).tocsr()
            answer = {"ready": counts.shape[0]}
        else:
            answer = {"scores": scores(counts, asked["positives"], asked["others"], asked["test"])}
        print(json.dumps(answer), flush=True)


main()
