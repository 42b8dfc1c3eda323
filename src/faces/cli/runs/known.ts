import { EXIT } from '../../../base/core/errors.ts';
import { commandOn } from '../../../base/text/forager-command.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import { pathWord } from '../../../base/text/shell-line.ts';
import { drawnText } from '../../../corpus/describe/recall-words.ts';
import { recallLines } from '../../../study/inspect/recall-text.ts';
import type { KnownDraw } from '../../app/draw-known.ts';
import { printJson, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { type Answered, askEach, layoutOf } from '../label-questions.ts';
import { pageLines } from '../label-screen.ts';
import { outputOf, sayTo } from '../label-session.ts';
import { longWork, type Shown } from '../long-work.ts';

export async function runKnown({ json = false, ...options }: CommandOptions<'known'>): Promise<number> {
  const { KnownDraw } = await import('../../app/draw-known.ts');
  const shown: Shown<number> = {
    start: 0,
    line: (listed) => `read ${counted(listed, 'URL')} of the list`,
    stopping: 'Stopping: nothing is drawn.',
  };
  const draw = await longWork(shown, (signal, tell) => KnownDraw.open({ ...options, signal, warn, onProgress: tell }));
  if (draw === null) return EXIT.interrupted;
  try {
    return await inDraw(draw, options, json);
  } finally {
    await draw.close();
  }
}

async function inDraw(draw: KnownDraw, { dir, out }: CommandOptions<'known'>, json: boolean): Promise<number> {
  const say = sayTo(outputOf(json));
  const outcome: Answered = { answered: 0, interrupted: false };
  const screen = layoutOf({ json });
  const next = async () => {
    const question = await draw.next();
    const { drawn, yes, no } = draw.counts;
    const heading = question && `page ${question.place} of ${countText(drawn)} (so far ${countText(yes)} yes, ${countText(no)} no)`;
    return question && pageLines(question, heading ?? '', ['drawn at random; the judgement of the model is hidden'], screen);
  };
  const asked = { next, answer: (reply: 'y' | 'n' | 'skip') => draw.answer(reply), undo: () => draw.undo(), say, json };
  await askEach(asked, outcome, { count: Number.POSITIVE_INFINITY, every: Number.POSITIVE_INFINITY, between: async () => undefined });
  const { drawn: _, ...counts } = draw.counts;
  if (json) printJson({ dir, out, answered: outcome.answered, ...counts, drawn: draw.known?.drawn ?? null, recall: draw.recall });
  else for (const line of linesAfter(draw, dir, out)) say(line);
  return outcome.interrupted ? EXIT.interrupted : EXIT.done;
}

function linesAfter(draw: KnownDraw, dir: string, out: string): string[] {
  const { known, recall, counts } = draw;
  const left = counts.drawn - counts.yes - counts.no - counts.skipped - counts.unread;
  const more =
    left > 0 ? [`${counted(left, 'page has', 'pages have')} no answer yet: ${commandOn('known', dir, '--out', pathWord(out))}`] : [];
  if (known?.drawn === undefined || recall === null)
    return [`${counted(counts.drawn, 'page')} drawn, none answered y so far`, ...more, ...moreToDraw(counts.drawn, left, dir, out)];
  return [
    drawnText(known.drawn),
    ...more,
    ...recallLines(dir, recall),
    `for status and --stop-recall: ${commandOn('crawl', dir, '--known', pathWord(out))}`,
  ];
}

function moreToDraw(drawn: number, left: number, dir: string, out: string): string[] {
  if (left > 0) return [];
  return [`to draw more: ${commandOn('known', dir, '--draw', String(2 * drawn), '--out', pathWord(out))}`];
}
