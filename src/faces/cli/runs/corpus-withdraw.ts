import { EXIT } from '../../../base/core/errors.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import type { WithdrawReport } from '../../app/withdraw-pages.ts';
import { print, printJson, warn } from '../command.ts';
import { corpusProgress, printFiles } from '../corpus-text.ts';
import type { CommandOptions } from '../define.ts';
import { longWork } from '../long-work.ts';
import { outputFromEnvironment } from '../output-environment.ts';
import { onDamagedOf } from '../skip-damaged.ts';

export async function runWithdraw({ json, skipDamaged, ...options }: CommandOptions<'corpus withdraw'>): Promise<number> {
  const { withdraw } = await import('../../app/withdraw-pages.ts');
  const environment = options.out === undefined ? {} : outputFromEnvironment(options.out);
  const report = await longWork(corpusProgress('compare'), (signal, progress) =>
    withdraw({ ...options, ...onDamagedOf(skipDamaged), ...environment, signal, progress, warn }),
  );
  if (report === null) return EXIT.interrupted;
  if (json) for (const one of report.withdrawn) printJson(one);
  else await describe(options.corpus, report, options.purge ?? false);
  if (report.card === null || report.card.records.kept > 0) return EXIT.done;
  warn('the corpus has no page: all were taken back');
  return EXIT.noPage;
}

async function describe(corpus: string, { withdrawn, outDir, card }: WithdrawReport, purged: boolean): Promise<void> {
  print(`${corpus}: ${counted(withdrawn.length, 'page')} taken back`);
  if (card === null || outDir === null) {
    print('Later harvests omit them, and the crawl does not request them again.');
    print(purged ? 'Its corpus and its frontier no longer have them.' : 'Its own files still have them; --purge removes them there.');
    return;
  }
  print(`${outDir}: ${countText(card.records.kept)} pages, version ${card.version}`);
  await printFiles(card);
}
