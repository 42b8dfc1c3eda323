import { EXIT, UsageError } from '../../../base/core/errors.ts';
import { foragerCommand } from '../../../base/text/forager-command.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import { Blank } from '../../../base/text/shell-line.ts';
import type { CorpusCard } from '../../../corpus/describe/corpus-card.ts';
import type { CorpusChange, CorpusDiff } from '../../../corpus/search/corpus-diff.ts';
import { isCrawlIn } from '../../../crawling/crawl-dir/crawl-directory.ts';
import { biasLines } from '../bias-text.ts';
import { given, print, printJson, warn } from '../command.ts';
import { corpusProgress, printDominantHost, printFiles, printOmitted } from '../corpus-text.ts';
import type { CommandOptions } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { outputFromEnvironment } from '../output-environment.ts';
import { rateAndEta } from '../progress.ts';
import { onDamagedOf } from '../skip-damaged.ts';

type Options = CommandOptions<'corpus'>;

export function runCorpus(options: Options): Promise<number> {
  if (options.action === 'bias') return bias(options);
  return options.action === 'merge' ? merge(options) : diff(options);
}

async function bias({ corpora, frame, weights, weightBy, json, skipDamaged }: Options): Promise<number> {
  const [corpus, ...more] = corpora;
  if (corpus === undefined || more.length > 0)
    throw new UsageError(`corpus bias: compares one corpus with a frame, not ${corpora.length} corpora; give one, and --frame`);
  if (frame === undefined) throw new UsageError(`--frame is missing; see ${foragerCommand('corpus', 'bias', '--help')}`);
  const { corpusBias } = await import('../../app/corpus-bias.ts');
  const shown: Shown<number> = {
    start: 0,
    line: (done, ms) => `read ${countText(done)}; ${rateAndEta(done, null, ms)}`,
    stopping: 'Stopping.',
  };
  const found = await longWork(shown, (signal, progress) =>
    corpusBias(corpus, { frame, ...given({ weights, weightBy }), ...onDamagedOf(skipDamaged), signal, progress }),
  );
  if (found === null) return EXIT.interrupted;
  if (json) printJson(found);
  else {
    for (const line of biasLines(corpus, found, weights)) print(line);
    if (isCrawlIn(corpus)) print('The next harvest has this on its card; --columns frameWeight writes the weights.');
  }
  return EXIT.done;
}

async function merge({ json, skipDamaged, action: _, out, ...options }: Options): Promise<number> {
  if (out === undefined) throw new UsageError(`--out is missing; see ${foragerCommand('corpus', '--help')}`);
  const { mergeCorpora } = await import('../../app/merge-corpora.ts');
  const merged = await longWork(corpusProgress('compare'), (signal, progress) =>
    mergeCorpora({ ...options, out, ...onDamagedOf(skipDamaged), ...outputFromEnvironment(out), signal, progress, warn }),
  );
  if (merged === null) return EXIT.interrupted;
  if (json) printJson(merged.card);
  else await describeMerged(merged.outDir, merged.card);
  if (merged.card.records.kept > 0) return EXIT.done;
  warn(
    'the corpus has no page: left-out.jsonl has the reason of each; change the options that choose pages, such as --min-relevance and --lang',
  );
  return EXIT.noPage;
}

async function describeMerged(outDir: string, card: CorpusCard): Promise<void> {
  const { records, corpora = [], version = '' } = card;
  print(`${outDir}: ${counted(records.kept, 'page')} of ${countText(records.read)}, from ${counted(corpora.length, 'corpus', 'corpora')}`);
  for (const { name, pages, topic } of corpora) print(`  ${name}  ${counted(pages, 'page')}, topic ${topic.name}`);
  printOmitted(card);
  printDominantHost(card);
  print(`  version ${version}`);
  await printFiles(card);
}

async function diff({ corpora, from: fromDate, to: toDate, json, skipDamaged }: Options): Promise<number> {
  const [from, to, ...more] = fromDate === undefined ? corpora : [...corpora, ...corpora];
  if (from === undefined || to === undefined || more.length > 0)
    throw new UsageError(
      fromDate === undefined
        ? `corpus diff: compares two corpora, not ${corpora.length}; give the older one, then the newer one: ${foragerCommand('corpus', 'diff', new Blank('older'), new Blank('newer'))}`
        : `--from: compares two states of one crawl, not ${corpora.length} corpora; give one crawl directory, or omit --from`,
    );
  const { compareCorpora } = await import('../../app/compare-corpora.ts');
  const shown: Shown<number> = {
    start: 0,
    line: (done, ms) => `read ${countText(done)}; ${rateAndEta(done, null, ms)}`,
    stopping: 'Stopping.',
  };
  const onChange = json ? printJson : describeChange;
  const found = await longWork(shown, (signal, progress) =>
    compareCorpora(from, to, { ...given({ fromDate, toDate }), ...onDamagedOf(skipDamaged), onChange, signal, progress }),
  );
  if (found === null) return EXIT.interrupted;
  if (json) printJson({ change: 'total', ...found });
  else describeTotal(found);
  return EXIT.done;
}

const SIGNS = { added: '+', gone: '-', changed: '~', refetched: '=' } as const;
/** Edits of a page to show; JSON has more. */
const SHOWN_EDITS = 3;
const SHOWN_CHARS = 120;

function describeChange(change: CorpusChange): void {
  const line = `${SIGNS[change.change]} ${change.url}`;
  if (change.change === 'refetched') return;
  if (change.change !== 'changed') {
    print(change.omittedFor === null ? line : `${line}  (${change.change === 'gone' ? 'now' : 'before'} omitted: ${change.omittedFor})`);
    return;
  }
  print(`${line}  ${countText(change.wordsAdded)} words added, ${countText(change.wordsRemoved)} removed`);
  if (change.title) print(`    title: ${cut(change.title.from)} → ${cut(change.title.to)}`);
  for (const { removed, added } of change.edits.slice(0, SHOWN_EDITS))
    print(`    ${cut(removed) || '(nothing)'} → ${cut(added) || '(nothing)'}`);
  if (change.editCount > SHOWN_EDITS) print(`    ${countText(change.editCount - SHOWN_EDITS)} more edits`);
}

function cut(words: string): string {
  return words.length <= SHOWN_CHARS ? words : `${words.slice(0, SHOWN_CHARS)}…`;
}

function describeTotal({ added, gone, changed, refetched, same, from, to }: CorpusDiff): void {
  print(
    `${countText(added)} added, ${countText(gone)} gone, ${countText(changed)} changed, ${countText(refetched)} fetched again without a change, ${countText(same)} the same`,
  );
  print(from.version === to.version ? `both are version ${from.version}` : `from version ${from.version}\nto version   ${to.version}`);
}
