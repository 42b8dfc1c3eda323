/** Troubles of renderings, in words. */
import type { RenderTrouble } from './rendering.ts';

const TROUBLES: Readonly<Record<RenderTrouble, string>> = {
  'render-crash': 'the browser crashed, and the page stands as the server sent it',
  'render-hung': 'its scripts never paused, and the page stands as the server sent it',
  'render-memory': 'it took too much memory, and the page stands as the server sent it',
  'render-left': 'a script led to another page, and the document before that counts',
  'render-unsettled': 'its requests or its text did not settle in time, and the document of that moment counts',
};

export function renderTroubleText(trouble: RenderTrouble): string {
  return TROUBLES[trouble];
}
