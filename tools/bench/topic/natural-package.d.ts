declare module 'natural/lib/natural/classifiers/index.js' {
  export const BayesClassifier: new () => import('./natural-types.ts').NaturalBayes;
  export const LogisticRegressionClassifier: new () => import('./natural-types.ts').NaturalClassifier;
}

declare module 'natural/lib/natural/stemmers/index.js' {
  export const PorterStemmer: { tokenizeAndStem(text: string): string[] };
}
