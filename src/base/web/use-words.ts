/** The labels of each protocol and the uses that they name. Drafts change their labels: they are here alone. */
import { type StatedUses, USES, type Use } from '../core/types.ts';

/** The uses that a label names, by label. A label that is not here is unknown, and says nothing. */
export type UseWords = Readonly<Record<string, readonly Use[]>>;

/** Categories of draft-ietf-aipref-vocab (August 2026), without consensus yet. Its AI use is the input of models that generate. */
export const CONTENT_USAGE_WORDS: UseWords = { 'train-ai': ['train-ai'], 'ai-use': ['ai-input'], search: ['search'] };

/** Keys of the content signals policy (September 2025). Its newer key `use` says how much of a text may be shown: not one of our uses. */
export const CONTENT_SIGNAL_WORDS: UseWords = { 'ai-train': ['train-ai'], 'ai-input': ['ai-input'], search: ['search'] };

/** Usages of RSL 1.0 (November 2025), which contain each other, and those of its drafts, which its guide still shows. */
export const RSL_WORDS: UseWords = {
  all: USES,
  'ai-all': ['train-ai', 'ai-input'],
  'ai-train': ['train-ai'],
  'ai-input': ['ai-input'],
  'ai-index': ['ai-input'],
  search: ['search'],
  'train-ai': ['train-ai'],
  'train-genai': ['train-ai'],
  'ai-use': ['ai-input'],
  'ai-summarize': ['ai-input'],
};

/** A reservation by the TDM protocol: training a model is mining (recital 105 of Regulation (EU) 2024/1689). */
export const TDM_USES: readonly Use[] = ['mining', 'train-ai'];

/** `noai` asks that no model is trained with the page. */
export const NOAI_USES: readonly Use[] = ['train-ai'];

export const NO_USES: StatedUses = {};

/** One word about several uses. */
export function usesOf(uses: readonly Use[], word: 'allow' | 'disallow'): StatedUses {
  return Object.fromEntries(uses.map((use) => [use, word]));
}

/** Several statements about one page: any `disallow` disallows, else any `allow` allows (draft-ietf-aipref-vocab, combining preferences). */
export function combinedUses(all: readonly StatedUses[]): StatedUses {
  const out: Partial<Record<Use, 'allow' | 'disallow'>> = {};
  for (const stated of all) for (const use of USES) if (stated[use] !== undefined && out[use] !== 'disallow') out[use] = stated[use];
  return out;
}
