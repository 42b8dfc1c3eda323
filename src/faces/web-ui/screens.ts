/** The screens, in the order of the navigation. Another screen is a file in `screens/` and a name here. */
import { ofTopic } from './label-topic.ts';
import type { Route } from './route.ts';
import { comparison } from './screens/compared-crawls.ts';
import { corpus } from './screens/corpus-preview.ts';
import { diffScreen } from './screens/diff-screen.ts';
import { frontierScreen } from './screens/frontier-screen.ts';
import { hostsScreen } from './screens/hosts-screen.ts';
import { labels } from './screens/label-form.ts';
import { labelGrid } from './screens/label-grid.ts';
import { labelPeople } from './screens/label-people.ts';
import { newsScreen } from './screens/news-screen.ts';
import { overview } from './screens/overview.ts';
import { pagesScreen } from './screens/pages-screen.ts';
import { rightsScreen } from './screens/rights-screen.ts';
import { seeds } from './screens/seed-suggestions.ts';
import { start } from './screens/start-screen.ts';
import { subtopicsScreen } from './screens/subtopics-screen.ts';
import { whyScreen } from './screens/why-screen.ts';
import { STRINGS } from './strings.ts';

export interface Screen {
  readonly path: string;
  /** Name in the navigation; empty for a screen that others lead to. */
  readonly name: string;
  readonly routes: readonly Route[];
}

const ALL: readonly Screen[] = [
  { path: '/', name: STRINGS.nav.overview, routes: overview },
  { path: '/label', name: STRINGS.nav.label, routes: [...labels, ...labelGrid, ...labelPeople].map(ofTopic) },
  { path: '/pages', name: STRINGS.nav.pages, routes: pagesScreen },
  { path: '/why', name: '', routes: whyScreen },
  { path: '/diff', name: '', routes: diffScreen },
  { path: '/hosts', name: STRINGS.nav.hosts, routes: hostsScreen },
  { path: '/frontier', name: STRINGS.nav.frontier, routes: frontierScreen },
  { path: '/topics', name: STRINGS.nav.topics, routes: subtopicsScreen },
  { path: '/seeds', name: STRINGS.nav.seeds, routes: seeds },
  { path: '/new', name: STRINGS.nav.news, routes: newsScreen },
  { path: '/rights', name: STRINGS.nav.rights, routes: rightsScreen },
  { path: '/corpus', name: STRINGS.nav.corpus, routes: corpus },
  { path: '/compare', name: STRINGS.nav.compare, routes: comparison },
];

/** Screens of the navigation. */
export const SCREENS: readonly Screen[] = ALL.filter(({ name }) => name !== '');

export const ROUTES: readonly Route[] = ALL.flatMap(({ routes }) => routes);

/** Routes of a page that was opened for a project. */
export const START: readonly Route[] = start;
export const START_PATH = '/start';
