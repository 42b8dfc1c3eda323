/**
 * Topics of keywords on labelled texts: average precision, F1 at the threshold, log loss at a prior of one in ten, and the share of the accepted texts above .99. What
 * `STEEPNESS` and `TWICE` of reading/topic/keywords.ts rest on; they were chosen on Reuters and Brown, and the mails chose nothing.
 *
 *   npm run bench -- keywords [--data DIR]
 *
 * Log loss is that of texts that satisfy the query, whose relevance is above 0. Needs the sets: npm run data -- topics-build --out DIR --only reuters,brown,spam; a minute.
 */
import { parseArgs } from 'node:util';
import { readSet, type SetName } from '../../datasets/topics/text-set.ts';
import { parseRule } from '../../src/reading/topic/rule.ts';
import { trainKeywords } from '../../src/reading/topic/train-keywords.ts';

const { values } = parseArgs({ options: { data: { type: 'string', default: '.cache/topics' } } });

const QUERIES: Readonly<Partial<Record<SetName, readonly (readonly [label: string, query: string])[]>>> = {
  reuters: [
    ['corn', 'corn, maize'],
    ['corn', 'corn, maize, bushels, grain'],
    ['grain', 'grain, wheat, corn, barley, maize'],
    ['grain', 'grain'],
    ['grain', 'wheat, "grain exports", crop, harvest'],
    ['grain', 'grain, tonnes, wheat AND NOT sugar'],
  ],
  brown: [
    ['press-reportage', 'mayor, senate, governor, police, vote'],
    ['religion', 'god, church, religion, faith, christ'],
    ['fiction-mystery', 'detective, murder, police, gun'],
    ['government', 'federal, agency, program, act, congress'],
    ['press-reviews', 'concert, film, theatre, performance, music'],
    ['learned', 'equation, data, theory, temperature, analysis'],
    ['belles-lettres', 'poem, poet, novel, literary, artist'],
  ],
  spam: [
    ['spam', 'free, offer, money, click, credit'],
    ['spam', 'mortgage, viagra, guarantee, "click here"'],
    ['spam', '"money back", investment, income'],
  ],
};
const PRIOR = 0.1;

const average = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length);

interface Judged {
  readonly relevance: number;
  readonly isWanted: boolean;
}

function averagePrecision(judged: readonly Judged[]): number {
  let found = 0;
  const sorted = [...judged].sort((a, b) => b.relevance - a.relevance);
  return average(sorted.flatMap(({ isWanted }, i) => (isWanted ? [++found / (i + 1)] : [])));
}

function f1(judged: readonly Judged[]): number {
  const kept = judged.filter(({ relevance }) => relevance >= 0.5);
  return (2 * kept.filter(({ isWanted }) => isWanted).length) / (kept.length + judged.filter(({ isWanted }) => isWanted).length);
}

/** With the weights of a prior, which the sets do not have. */
function logLoss(judged: readonly Judged[]): number {
  const share = average(judged.map(({ isWanted }) => Number(isWanted)));
  const rows = judged.filter(({ relevance }) => relevance > 0);
  const weighed = rows.map(({ relevance, isWanted }) => {
    const weight = isWanted ? PRIOR / share : (1 - PRIOR) / (1 - share);
    return { weight, loss: -Math.log(Math.max(1e-6, isWanted ? relevance : 1 - relevance)) };
  });
  return weighed.reduce((sum, { weight, loss }) => sum + weight * loss, 0) / weighed.reduce((sum, { weight }) => sum + weight, 0);
}

for (const [set, queries] of Object.entries(QUERIES)) {
  const { texts } = readSet(values.data, set as SetName);
  const rows: number[][] = [];
  for (const [label, query] of queries) {
    const { model } = await trainKeywords({
      name: label,
      keywords: parseRule(query),
      extractor: 'block',
      seed: 1,
      now: 0,
      software: 'bench',
    });
    const judged = texts.map((text) => ({
      relevance: model.judge({ title: text.title, text: text.text, url: null, lang: null }),
      isWanted: text.labels.includes(label),
    }));
    const kept = judged.filter(({ relevance }) => relevance >= 0.5);
    const row = [averagePrecision(judged), f1(judged), logLoss(judged), average(kept.map(({ relevance }) => Number(relevance > 0.99)))];
    rows.push(row);
    console.log(`${set.padEnd(8)} ${label.padEnd(16)} ${row.map((figure) => figure.toFixed(3)).join('  ')}  ${query}`);
  }
  const means = [0, 1, 2, 3].map((column) => average(rows.map((row) => row[column] ?? 0)).toFixed(3));
  console.log(`${set.padEnd(8)} ${'mean'.padEnd(16)} ${means.join('  ')}  (average precision, F1, log loss, share above .99)`);
}
