/** The sense of statements about use: `Content-Usage` (draft-ietf-aipref-vocab) and `Content-Signal` (contentsignals.org). */
import { parseDictionary, Token } from 'structured-headers';
import type { StatedUses, WrittenStatement } from '../core/types.ts';
import { CONTENT_SIGNAL_WORDS, CONTENT_USAGE_WORDS, combinedUses, NO_USES, type UseWords, usesOf } from './use-words.ts';

/** The words of a statement that are kept, in characters. Known ones have some dozens. */
export const MAX_STATEMENT_CHARS = 1000;

/** Sense of a statement. */
export type Sense = Pick<WrittenStatement, 'understood' | 'uses'>;

export const NOT_UNDERSTOOD: Sense = { understood: false, uses: NO_USES };

/** A statement as a record keeps it. One that is too long is cut, and not understood. */
export function writtenStatement(
  place: Pick<WrittenStatement, 'protocol' | 'from' | 'path'>,
  written: string,
  senseOf: (written: string) => Sense,
): WrittenStatement {
  const isWhole = written.length <= MAX_STATEMENT_CHARS;
  const { protocol, from, path } = place;
  return { protocol, from, statement: written.slice(0, MAX_STATEMENT_CHARS), path, ...(isWhole ? senseOf(written) : NOT_UNDERSTOOD) };
}

/**
 * The sense of a `Content-Usage` value: a dictionary (RFC 9651 §3.2) with the tokens `y` and `n`. Unknown keys, other values and all parameters say
 * nothing; of equal keys the last counts. A value that is no dictionary is not understood. Never throws.
 */
export function usageSense(written: string): Sense {
  const stated = dictionaryOf(written);
  if (stated === null) return NOT_UNDERSTOOD;
  return senseFrom(stated, CONTENT_USAGE_WORDS, { y: 'allow', n: 'disallow' });
}

/** The sense of a `Content-Signal` value: `key=yes` and `key=no`, with commas. A key that is absent says nothing; of equal keys, a `no` counts. */
export function signalSense(written: string): Sense {
  const stated = written.split(',').map((part): [string, string] => {
    const equals = part.indexOf('=');
    return [
      part.slice(0, Math.max(equals, 0)).trim().toLowerCase(),
      part
        .slice(equals + 1)
        .trim()
        .toLowerCase(),
    ];
  });
  return senseFrom(stated, CONTENT_SIGNAL_WORDS, { yes: 'allow', no: 'disallow' });
}

function senseFrom(
  stated: readonly (readonly [key: string, value: string])[],
  words: UseWords,
  values: Readonly<Record<string, 'allow' | 'disallow'>>,
): Sense {
  const found = stated.flatMap(([key, value]): readonly StatedUses[] => {
    const word = Object.hasOwn(values, value) ? values[value] : undefined;
    return word === undefined || !Object.hasOwn(words, key) ? [] : [usesOf(words[key] ?? [], word)];
  });
  return found.length === 0 ? NOT_UNDERSTOOD : { understood: true, uses: combinedUses(found) };
}

/** The tokens of a dictionary by key; null if it is none. */
function dictionaryOf(written: string): readonly (readonly [string, string])[] | null {
  try {
    const dictionary = parseDictionary(written);
    return [...dictionary].flatMap(([key, [value]]) => (value instanceof Token ? [[key, value.toString()] as const] : []));
  } catch {
    return null;
  }
}
