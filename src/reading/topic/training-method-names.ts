/** The only list of names of training methods, by the amount of input they need; `training-methods.ts` has the methods themselves. */
export const METHOD_NAMES = ['keywords', 'prototype', 'positive-unlabelled', 'supervised'] as const;
export type MethodName = (typeof METHOD_NAMES)[number];
