/** The npm package robots-parser, to compare our reading of robots.txt files with. */
import { createRequire } from 'node:module';

export interface TheirRobots {
  /** undefined for a URL that the file is not about. */
  isAllowed(url: string, agent: string): boolean | undefined;
}

/** Required, since its type declarations fit CommonJS only. */
export const robotsParser = createRequire(import.meta.url)('robots-parser') as (url: string, body: string) => TheirRobots;
