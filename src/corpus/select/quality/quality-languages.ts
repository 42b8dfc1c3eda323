/** The facts on a language that the rules need. */
export interface QualityLanguage {
  /** Eight of its most frequent words, as Gopher has eight for English: function words, in lower case. */
  readonly stopWords: readonly string[];
  /** Marks that end a sentence, and closing quotation marks. */
  readonly terminal: string;
}

const TERMINAL = '.!?"\'”’»';

function language(stopWords: string, more = ''): QualityLanguage {
  return { stopWords: stopWords.split(' '), terminal: TERMINAL + more };
}

/**
 * Languages that the rules apply to, by primary subtag: those with spaces between words whose mean length is in Gopher's bounds. The English words are
 * Gopher's (Rae et al. 2021, appendix A.1.1); the others are their translations or, where a form is rare, the next frequent function word.
 */
export const QUALITY_LANGUAGES: ReadonlyMap<string, QualityLanguage> = new Map([
  ['en', language('the be to of and that have with')],
  ['de', language('der die und zu in ist das mit', '“‘«')],
  ['fr', language('le la de et à que est avec')],
  ['es', language('el la de y a que es con')],
  ['it', language('il la di e a che è con')],
  ['pt', language('o a de e que é com para')],
  ['nl', language('de het een van en dat is met')],
  ['sv', language('och att det som en är av med')],
  ['da', language('og at det som en er af med', '«')],
  ['pl', language('i w na z do nie się jest')],
  ['cs', language('a v na s do že se je', '“‘')],
  ['ru', language('и в на с не что это как', '“')],
  ['el', language('ο η το και να με του της', ';')],
]);
