import { checkTexts } from '../../domain/texts/check-texts.ts';
import { failureTexts } from '../../domain/texts/failure-texts.ts';
import { problemTexts } from '../../domain/texts/problem-texts.ts';
import { targetTexts } from '../../domain/texts/target-texts.ts';
import { networkTexts } from '../../platform/network/network-texts.ts';
import { common } from './common.ts';
import { desk } from './desk.ts';
import { insight } from './insight.ts';
import { messages } from './messages.ts';
import { needs } from './needs.ts';
import { reports } from './reports.ts';

/** As in the file of each other language. */
const parts = {
  common,
  desk,
  insight,
  messages,
  needs,
  reports,
  checks: checkTexts,
  failures: failureTexts,
  network: networkTexts,
  problems: problemTexts,
  targets: targetTexts,
} as const;
export type EnglishParts = typeof parts;

/** Every text of pages and messages. */
export const english = {
  ...parts.common,
  ...parts.desk,
  ...parts.insight,
  ...parts.messages,
  ...parts.needs,
  ...parts.reports,
  ...parts.checks,
  ...parts.failures,
  ...parts.network,
  ...parts.problems,
  ...parts.targets,
} as const;
