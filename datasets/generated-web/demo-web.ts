/** The web of `npm run demo`, which the pictures of the page show as well. */
import type { GeneratedWebOptions } from './options.ts';

export const DEMO_WEB = {
  seed: 7,
  pages: 6000,
  hosts: 60,
  topics: 12,
  locality: 0.5,
  hubs: 0.02,
  tunnels: { islands: 24, size: 10, depth: 2 },
} satisfies GeneratedWebOptions;
