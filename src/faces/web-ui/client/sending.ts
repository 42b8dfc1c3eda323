/** Forms that scripts send, with a notice if nothing was stored. */

/**
 * The content of the answering screen. null if nothing was stored: the page does not answer, or this tab is older than its last start, which a notice
 * tells.
 */
export async function send(form: HTMLFormElement): Promise<HTMLElement | null> {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.append(name, String(value));
  const answer = await fetch(form.action, { method: 'POST', body: fields, credentials: 'same-origin' }).catch(() => null);
  notice('unsent', answer === null);
  return answer === null ? null : contentOf(answer);
}

/** null for an answer that is no screen: the page was started again, and knows this tab no longer. */
export async function contentOf(answer: Response): Promise<HTMLElement | null> {
  const text = await answer.text();
  const main = new DOMParser().parseFromString(text, 'text/html').querySelector('main');
  if (main === null) {
    notice('stale', true);
    for (const button of document.querySelectorAll('button')) button.disabled = true;
  }
  return main;
}

/** Is this tab older than the last start of the page? */
export function isStale(): boolean {
  return document.querySelector('[data-notice="stale"]:not([hidden])') !== null;
}

function notice(name: string, isShown: boolean): void {
  document.querySelector(`[data-notice="${name}"]`)?.toggleAttribute('hidden', !isShown);
}
