/** Which pages of the web of shells are shells, of which kind, and where they are. */

/**
 * Ways in which a page gets its text by scripts. `client`: a bundle has it. `xhr`: JSON by fetch or XMLHttpRequest. `hydrated`: the server's text is
 * complete, a script attaches to it. `hash`: a router reads the fragment. `list`: ten items in HTML, more when the end is seen. `late`: 800 ms after
 * load. `history`: each URL has one index page, a router reads the path. `module`: modules imported from a second host.
 */
export const SHELL_KINDS = ['client', 'xhr', 'hydrated', 'hash', 'list', 'late', 'history', 'module'] as const;
export type ShellKind = (typeof SHELL_KINDS)[number];

/** Host of the modules that pages of the kind `module` import. It has no pages. */
export const MODULE_HOST = 'modules.example';

/** One static page in so many is a document of an application: it is on the host of shells. */
const DOCS_EVERY = 10;
/** Ids in a row that are on one of two hosts of a kind. */
const RUN = 2 * SHELL_KINDS.length;

/** Kind of the page with an id; null for a static page. Each second page is a shell, the kinds take turns. */
export function kindOfId(id: number): ShellKind | null {
  return id % 2 === 0 ? kindAt(id) : null;
}

/** Host and path of the page with an id. @param staticHost of a static page that is not a document of an application */
export function addressOf(id: number, staticHost: string): { readonly host: string; readonly path: string } {
  const kind = kindOfId(id);
  if (kind !== null) return { host: shellHost(id), path: kind === 'hash' ? `/hash/${id}/` : `/${kind}/${id}` };
  const isDocument = id % DOCS_EVERY === 1;
  return isDocument ? { host: shellHost(id), path: `/docs/${id}.html` } : { host: staticHost, path: `/a/${id}.html` };
}

/** Fragment of links to the page with an id: that of its route, for the kind `hash`; '' for others. */
export function fragmentOf(id: number): string {
  if (kindOfId(id) !== 'hash') return '';
  return id % (2 * RUN) === 6 ? `#!/page/${id}` : `#/page/${id}`;
}

function kindAt(id: number): ShellKind {
  return SHELL_KINDS[(id >> 1) % SHELL_KINDS.length] ?? 'client';
}

function shellHost(id: number): string {
  return `${kindAt(id)}-${1 + (Math.floor(id / RUN) % 2)}.example`;
}
