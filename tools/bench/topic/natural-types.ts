/** What of natural's classifiers is used; the package has no types of its own. */
export interface NaturalClassifier {
  /** Documents in which each stem occurs, by stem. */
  readonly features: Readonly<Record<string, number>>;
  readonly docs: readonly unknown[];
  textToFeatures: (observation: string[]) => number[];
  addDocument(stems: string[], label: string): void;
  train(): void;
  getClassifications(stems: string[]): { readonly label: string; readonly value: number }[];
}

export interface NaturalBayes extends NaturalClassifier {
  readonly classifier: {
    /** By label, then by the feature's place: texts that have it, and the smoothing. */
    readonly classFeatures: Readonly<Record<string, Readonly<Record<number, number>>>>;
    readonly classTotals: Readonly<Record<string, number>>;
    readonly totalExamples: number;
    readonly smoothing: number;
  };
}
