/** Words for the states of URLs. People read the name of the state everywhere, since `--state` takes it; some names need an explanation. */
import type { StateName } from './types.ts';

const MEANINGS: Readonly<Partial<Record<StateName, string>>> = {
  duplicate: 'copies of kept pages',
  fetched: 'redirects, lists of URLs and files of reservations',
};

/** The URLs of a state, where its name does not say it; '' otherwise. */
export function stateMeaning(state: string): string {
  return Object.entries(MEANINGS).find(([name]) => name === state)?.[1] ?? '';
}

/** `fetched (redirects, lists of URLs and files of reservations)`. */
export function stateText(state: StateName): string {
  const meaning = stateMeaning(state);
  return meaning === '' ? state : `${state} (${meaning})`;
}
