/** Parts of a page that are not its own text, and entries of lists, by their class names and ids. */
import { ownString } from '../../base/core/own-string.ts';
import { flagsOfNames } from './class-hints.ts';
import { FLAG } from './tags.ts';

/** Parts of a page that are not its own text: by elements and items, and by class names, which are hints. */
export const FOREIGN = { comment: 1, related: 2, menu: 4, footer: 8, event: 16, reply: 32 } as const;
const EVENT = /(?:^|[\s_-])(?:events?|calendar|agenda|schedule|upcoming|termine?|veranstaltung(?:en)?)(?:$|[\s_-])/i;
/** One of the entries of a list of pages, in common themes. */
const ENTRY = /(?:^|\s)(?:hentry|h-entry|post|entry|teaser|card|story|news-?item)(?:$|\s)/i;
/** Values of class and id whose meaning is remembered: a site has some hundred, and a crawl reads many sites. */
const MAX_WORDS = 20_000;

/** The meaning of class names and ids. */
export interface Meaning {
  readonly foreign: number;
  readonly isEntry: boolean;
}

export const NO_MEANING: Meaning = { foreign: 0, isEntry: false };
const MEANINGS = new Map<string, Meaning>();

/** The meaning of an element by its class and its id. */
export function meaningOf(className: string | undefined, id: string | undefined): Meaning {
  if (id === undefined) return className === undefined ? NO_MEANING : meaningOfWords(className);
  const ofId = meaningOfWords(id);
  if (className === undefined) return ofId;
  const ofClass = meaningOfWords(className);
  return { foreign: ofClass.foreign | ofId.foreign, isEntry: ofClass.isEntry || ofId.isEntry };
}

function meaningOfWords(words: string): Meaning {
  const known = MEANINGS.get(words);
  if (known !== undefined) return known;
  const flags = flagsOfNames(words);
  const foreign =
    (flags & FLAG.comments ? FOREIGN.comment : 0) |
    (flags & FLAG.related ? FOREIGN.related : 0) |
    (flags & FLAG.menu ? FOREIGN.menu : 0) |
    (EVENT.test(words) ? FOREIGN.event : 0);
  const meaning = { foreign, isEntry: ENTRY.test(words) };
  if (MEANINGS.size >= MAX_WORDS) MEANINGS.clear();
  MEANINGS.set(ownString(words), meaning);
  return meaning;
}
