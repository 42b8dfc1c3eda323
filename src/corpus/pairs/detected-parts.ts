/** The language of a page by the parts of its text. */

/** Parts of a text whose languages are detected, from its start to its end: translations are often partial, or begin with names and code. */
const PARTS = 5;
const PART_CHARS = 600;
/** English parts count half: code, names and untranslated paragraphs in pages of other languages are English, and hardly ever the other way round. */
const ENGLISH_VOTE = 0.5;
/** Votes that decide if no part has spoken otherwise. Each detection takes half a millisecond. */
const CLEAR_VOTES = 2;

/** Letters of these scripts tell a language by themselves, where a short text is too little for a detector. */
const SCRIPTS = [
  ['ja', /[\p{Script=Hira}\p{Script=Kana}]/gu],
  ['ko', /\p{Script=Hang}/gu],
  ['zh', /\p{Script=Han}/gu],
] as const;
const LEAST_LETTERS = 10;

function byScript(text: string): string | null {
  const head = text.slice(0, PARTS * PART_CHARS);
  return SCRIPTS.find(([, letters]) => (head.match(letters)?.length ?? 0) >= LEAST_LETTERS)?.[0] ?? null;
}

/** The language of most parts of a text; of the first one, if two have as many. null if none is clear. */
export function mostDetected(text: string, detect: (text: string) => string | null): string | null {
  const votes = new Map<string, number>();
  const parts = Math.min(PARTS, Math.ceil(text.length / PART_CHARS));
  for (let i = 0; i < parts; i++) {
    const from = parts === 1 ? 0 : Math.round((i * (text.length - PART_CHARS)) / (parts - 1));
    const found = detect(text.slice(from, from + PART_CHARS));
    if (found === null) continue;
    votes.set(found, (votes.get(found) ?? 0) + (found === 'en' ? ENGLISH_VOTE : 1));
    if (votes.size === 1 && (votes.get(found) ?? 0) >= CLEAR_VOTES) return found;
  }
  let most = votes.size === 0 ? byScript(text) : null;
  for (const [lang, count] of votes) if (most === null || count > (votes.get(most) ?? 0)) most = lang;
  return most;
}
