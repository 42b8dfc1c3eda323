/** The screens, in the order of the navigation. Another screen is a file in `screens/` and a name here. */
import type { Route } from './route.ts';
import { overview } from './screens/overview.ts';
import { STRINGS } from './strings.ts';

export interface Screen {
  readonly path: string;
  /** In the navigation; empty for a screen that others lead to. */
  readonly name: string;
  readonly routes: readonly Route[];
}

const ALL: readonly Screen[] = [{ path: '/', name: STRINGS.nav.overview, routes: overview }];

/** Those of the navigation. */
export const SCREENS: readonly Screen[] = ALL.filter(({ name }) => name !== '');

export const ROUTES: readonly Route[] = ALL.flatMap(({ routes }) => routes);
