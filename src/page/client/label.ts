/** Answers by keys: a key presses the button that names it, and the next page comes without a new document. */

const main = document.querySelector('main');

async function send(form: HTMLFormElement): Promise<void> {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.append(name, String(value));
  for (const button of form.querySelectorAll('button')) button.disabled = true;
  const answer = await fetch(form.action, { method: 'POST', body: fields, credentials: 'same-origin' }).catch(() => null);
  if (answer === null) {
    for (const button of form.querySelectorAll('button')) button.disabled = false;
    document.querySelector('[data-unsent]')?.removeAttribute('hidden');
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
  if (fresh !== null) main?.replaceChildren(...fresh.childNodes);
}

main?.addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement) || event.target.method !== 'post' || event.target.action.endsWith('/label/leave')) return;
  event.preventDefault();
  void send(event.target);
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

// A module of its own: its names are not those of the other scripts.
export {};
