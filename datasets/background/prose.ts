/** Long texts cut into pieces as long as pages are. Pure. */
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import { scanWords } from '../../src/base/text/tokens.ts';

/** Words of a piece: drawn evenly from this range, about what the main texts of news and encyclopaedic pages run to. */
const PIECE_WORDS = { least: 300, most: 1500 };
/** A last piece that is shorter than this is left out. */
const LEAST_WORDS = 150;
/** The tokeniser cuts only the first 2,048 characters of unspaced scripts into words and the rest into bigrams, so units are counted one by one. */
const UNIT_END = /\n\s*\n|(?<=[.!?…؟।]["'»”’)\]]*)\s+|(?<=[。！？][」』”）]*)/u;

/** Pieces of whole sentences, in order. Chance hangs on `seed` only. O(length of the text). */
export function pieces(text: string, seed: number): string[] {
  return piecesOf(text.split(UNIT_END), seed);
}

/** The same of texts that are whole in themselves, such as jokes or paragraphs. */
export function piecesOf(units: readonly string[], seed: number): string[] {
  const rng = seededRng(seed);
  const out: string[] = [];
  let piece: string[] = [];
  let words = 0;
  let wanted = drawnWords(rng);
  for (const unit of units) {
    piece.push(unit.replaceAll(/\s+/g, ' ').trim());
    words += wordCount(unit);
    if (words < wanted) continue;
    out.push(piece.join(' ').trim());
    piece = [];
    words = 0;
    wanted = drawnWords(rng);
  }
  return words < LEAST_WORDS ? out : [...out, piece.join(' ').trim()];
}

function drawnWords(rng: Rng): number {
  return PIECE_WORDS.least + Math.floor(rng() * (PIECE_WORDS.most - PIECE_WORDS.least));
}

function wordCount(text: string): number {
  let words = 0;
  scanWords(text, () => {
    words++;
  });
  return words;
}
