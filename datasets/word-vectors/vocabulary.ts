import * as z from 'zod';
import { DataError } from '../../src/base/core/errors.ts';
import { wordsOf } from '../../src/base/text/tokens.ts';

const tokenizerSchema = z.object({ model: z.object({ vocab: z.record(z.string(), z.number().int().nonnegative()) }) });

export interface Vocabulary {
  /** Words that pages can have, in the order of the vocabulary, which is about that of frequency. */
  readonly words: readonly string[];
  /** Token of each word. */
  readonly tokens: readonly number[];
  /** Tokens of `[CLS]` and `[SEP]`. */
  readonly marks: readonly [number, number];
}

/**
 * The whole words of a WordPiece tokenizer, and its marks: no pieces (`##ing`), no marks, no punctuation. Words have Latin letters without accents and
 * digits: a vocabulary of English has single letters of other scripts, but not their words.
 */
export function wholeWords(tokenizer: unknown, name: string): Vocabulary {
  const read = tokenizerSchema.safeParse(tokenizer);
  if (!read.success) throw new DataError(`${name}: is not a WordPiece tokenizer; fetch the package again`);
  const { vocab } = read.data.model;
  const [begin, end] = [vocab['[CLS]'], vocab['[SEP]']];
  if (begin === undefined || end === undefined)
    throw new DataError(`${name}: has no [CLS] and [SEP]; give the tokenizer of a BERT encoder`);
  const entries = Object.entries(vocab)
    .filter(([word]) => isWord(word))
    .sort(([, a], [, b]) => a - b);
  return { words: entries.map(([word]) => word), tokens: entries.map(([, token]) => token), marks: [begin, end] };
}

/** Is this a word as the crawler splits and folds texts? */
function isWord(token: string): boolean {
  const words = /^[a-z0-9]+$/.test(token) ? wordsOf(token) : [];
  return words.length === 1 && words[0] === token;
}
