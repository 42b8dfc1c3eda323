import { UsageError } from '../../../base/core/errors.ts';
import type { JudgingReport } from '../../../study/label/judge/judge-crawl.ts';
import type { JudgingOptions } from '../../../study/label/labelling-options.ts';
import { given as onlyGiven, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { onInterrupt } from '../interrupt.ts';
import { judgingLines, judgingProgressText } from '../judge-text.ts';
import { retrainAtEnd, retrainingOf, warnUntrainable } from '../label-retraining.ts';
import { inLabelSession, sayLabels } from '../label-session.ts';
import { clockText, Progress } from '../progress.ts';

export function runLabelJudge(given: CommandOptions<'label judge'>): Promise<number> {
  const judge = judgeOf(given);
  const retraining = retrainingOf(given, true);
  return inLabelSession(given, {}, async (session) => {
    const { json, say, labelling, outcome } = session;
    warnUntrainable(session, retraining);
    const report = await withInterrupt((options) => labelling.judge.run({ ...judge, ...options }));
    [outcome.judging, outcome.interrupted] = [report, report.stop === 'interrupted'];
    if (!json) for (const line of judgingLines(report)) say(line);
    else if (report.stop === 'server' && report.failure !== null) warn(report.failure);
    sayLabels(session);
    await retrainAtEnd(session, retraining);
  });
}

/** Can others on the way read it? */
function isReadable(url: string): boolean {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  return protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** Server, model and budgets. @throws UsageError if the server or the model is not named */
function judgeOf(given: CommandOptions<'label judge'>): JudgingOptions {
  const { judgeUrl = process.env['OPENAI_BASE_URL'] ?? '', judgeModel } = given;
  if (judgeUrl === '')
    throw new UsageError('label judge: no server is named; give --judge-url, such as http://localhost:11434/v1, or set OPENAI_BASE_URL');
  if (judgeModel === undefined) throw new UsageError('label judge: no model is named; give --judge-model, as the server calls it');
  const { judgeQuestion, judgeCalls, judgeTokens, judgeTime, count } = given;
  const judgeKey = process.env['OPENAI_API_KEY'];
  if (judgeKey && isReadable(judgeUrl))
    warn('warning: the key and the pages go to the server without encryption; give an https address to --judge-url');
  return { judgeUrl, judgeModel, ...onlyGiven({ judgeQuestion, judgeCalls, judgeTokens, judgeTime, count, judgeKey }) };
}

/** Shows progress; an interrupt ends the session with the answers so far. */
async function withInterrupt(
  work: (options: Pick<JudgingOptions, 'onProgress' | 'signal'>) => Promise<JudgingReport>,
): Promise<JudgingReport> {
  const interrupt = onInterrupt('Ending: the answers of the language model are stored.');
  const startedAt = Date.now();
  let at = judgingProgressText({ answered: 0, failed: 0, calls: 0, tokens: 0 });
  const progress = new Progress(() => `${at}; ${clockText(Date.now() - startedAt)}`);
  try {
    const onProgress: JudgingOptions['onProgress'] = (state) => {
      at = judgingProgressText(state);
    };
    return await work({ onProgress, signal: interrupt.signal });
  } finally {
    progress.close();
    interrupt.close();
  }
}
