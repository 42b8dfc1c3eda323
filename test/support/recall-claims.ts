/** Finds texts that call an upper bound, or the share of something else, a recall. Only known pages, held-out pages and frozen webs tell a recall. */

/** Words of figures that bound the recall at most, or that count other pages: citations, overlaps, lists of favourites. */
const BOUND =
  /\bat most\b|\bno more than\b|\bup to\b|\bupper (?:bound|end|limit)s?\b|\bmaximum\b|\bchao\b|\blincoln\b|\bpetersen\b|\boverlap\w*|\bcitations?\b|\bcited\b|\bcaptures?\b|\blisted\b|\brandom visits\b/i;
/** Forms in which a number may be called recall, by its ground. */
const GROUNDED: readonly RegExp[] = [
  // Known pages: terminal, page and card; the text for the methods of a paper.
  /recall (?:\.\d\d|1\.00) \\?\[(?:\.\d\d|0\.00|1\.00), (?:\.\d\d|1\.00)\\?\] at 90 %/gi,
  /recall of the crawl was [\d.]+ \(90 % interval [\d.]+ to [\d.]+\): it kept [\d,]+ of [\d,]+ pages? known to be on topic/gi,
  // Held-out pages of a training.
  /at the threshold: precision [\d.a-z ]+, recall [\d.]+; on held-out training pages/gi,
  /recall [\d.]+ % of held-out examples/gi,
];
const NUMBER = /\brecall\b[^\n.;|]{0,20}?[:= ]\s*[≤<~]?\s*\d*\.?\d+/gi;

/** Lines or sentences with a word of the recall and one of a bound. */
export function boundsCalledRecall(text: string): string[] {
  return sentencesIn(text).filter((sentence) => /recall/i.test(sentence) && BOUND.test(sentence));
}

/** Numbers that are called recall without one of the grounds. */
export function groundlessRecalls(text: string): string[] {
  const rest = GROUNDED.reduce((left, form) => left.replaceAll(form, ''), text);
  return rest.match(NUMBER) ?? [];
}

function sentencesIn(text: string): string[] {
  return text.split(/\n|(?<=[.;:?!])\s+(?=[A-Z(])/).map((one) => one.trim());
}
