/** A piece of work in the background, as screens show it. */
import { countText } from '../../base/text/number-text.ts';
import type { Job } from './background-jobs.ts';
import type { WorkName } from './background-work.ts';
import { html, type Markup } from './markup.ts';
import { button } from './pieces.ts';
import { STRINGS } from './strings.ts';

const TEXT = STRINGS.jobs;

/**
 * State of a job: the progress of a running one with the button that stops it, the reason why it failed, or that it was stopped; null for
 * one that is done, and for none.
 */
export function jobState(job: Job<WorkName> | null, formToken: string, stop: string, name: WorkName): Markup | null {
  if (job?.state === 'failed') return html`<p class="warning" role="alert">${TEXT.failed} ${job.message}</p>`;
  if (job?.state === 'stopped') return html`<p role="status">${TEXT.stopped}</p>`;
  if (job?.state !== 'running') return null;
  if (job.progress === null)
    return html`<div class="job" role="status"><p>${TEXT.started}</p><progress></progress>${button(formToken, stop, TEXT.stop, { what: name })}</div>`;
  const { stage, done, total } = job.progress;
  const text = done === null ? `${stage} …` : TEXT.progress(stage, countText(done), total === null ? null : countText(total));
  const bar =
    total === null || done === null ? html`<progress></progress>` : html`<progress value="${done}" max="${Math.max(1, total)}"></progress>`;
  return html`<div class="job" role="status"><p>${text}</p>${bar}${button(formToken, stop, TEXT.stop, { what: name })}</div>`;
}
