/** Answers by keys: a key presses the button that names it, and the next page comes without a new document. */

import { isStale, send } from './sending.ts';

const main = document.querySelector('main');

async function answer(form: HTMLFormElement): Promise<void> {
  const buttons = [...form.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  const fresh = await send(form);
  if (fresh !== null) main?.replaceChildren(...fresh.childNodes);
  else if (!isStale()) for (const button of buttons) button.disabled = false;
}

main?.addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement) || event.target.method !== 'post' || event.target.action.endsWith('/label/leave')) return;
  event.preventDefault();
  void answer(event.target);
});

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const on = event.target instanceof Element ? event.target : null;
  // Enter presses the link or button that has the focus.
  if (on?.closest(event.key === 'Enter' ? 'a, button, input, select, textarea' : 'input, select, textarea')) return;
  const named = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  const pressed = named instanceof HTMLButtonElement ? named : named?.querySelector('a');
  if (!pressed) return;
  event.preventDefault();
  pressed.click();
});
