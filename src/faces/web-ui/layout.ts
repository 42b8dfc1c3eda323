/** The frame of each screen: navigation, and where the scripts and styles are. */
import { html, type Markup } from './markup.ts';
import type { Project } from './project.ts';
import { SCREENS, START_PATH } from './screens.ts';
import { STRINGS } from './strings.ts';

export interface Framed {
  readonly title: string;
  readonly main: Markup;
  /** Stays as it is until the user loads it again. */
  readonly still?: true;
  /** Crawl directory, or the folder of the project. */
  readonly dir: string;
  /** null if the page was opened for a crawl. */
  readonly project: Project | null;
  readonly hasCrawl: boolean;
  /** Path of the screen, for the navigation. */
  readonly path: string;
  /** Token for requests that scripts send. */
  readonly formToken: string;
  /** Name of the script; `live` renews the screen. */
  readonly script: string;
}

export function screenOf({ title, main, still, dir, project, hasCrawl, path, formToken, script }: Framed): Markup {
  const screens = [...(project === null ? [] : [{ path: START_PATH, name: STRINGS.nav.start }]), ...(hasCrawl ? SCREENS : [])];
  const links = screens.map(
    (one) => html`<li><a href="${one.path}"${isOf(one.path, path) && html` aria-current="page"`}>${one.name}</a></li>`,
  );
  const name = nameOf(dir);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="form-token" content="${formToken}">
<title>${title} – ${name} – Forager</title>
<link rel="icon" href="/assets/icon.svg">
<link rel="stylesheet" href="/assets/style.css">
<script type="module" src="/assets/${script}.js"></script>
</head>
<body>
<a class="skip" href="#main">${STRINGS.skip}</a>
<header>
<p class="crawl"><bdi title="${dir}">${name}</bdi></p>
<nav aria-label="${STRINGS.screens}"><ul>${links}</ul></nav>
</header>
${Object.entries(STRINGS.notices).map(([name, text]) => html`<p class="warning notice" role="alert" data-notice="${name}" hidden>${text}</p>`)}
<main id="main" tabindex="-1"${still && html` data-still`}>${main}</main>
</body>
</html>
`;
}

/** Is it the path of the screen, or below it? */
function isOf(screen: string, path: string): boolean {
  return path === screen || (screen !== '/' && path.startsWith(`${screen}/`));
}

/** The last part of a path. */
function nameOf(dir: string): string {
  return dir.split(/[\\/]/).filter(Boolean).at(-1) ?? dir;
}
