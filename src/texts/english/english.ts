import { checkTexts } from '../../domain/check-texts.ts';
import { failureTexts } from '../../domain/failure-texts.ts';
import { problemTexts } from '../../domain/problem-texts.ts';
import { targetTexts } from '../../domain/target-texts.ts';
import { networkTexts } from '../../platform/network-texts.ts';
import { common } from './common.ts';
import { desk } from './desk.ts';
import { insight } from './insight.ts';
import { messages } from './messages.ts';
import { needs } from './needs.ts';
import { reports } from './reports.ts';

/** Every text of pages and messages. The other languages are typed by it: a missing one does not compile. */
export const english = {
  ...common,
  ...desk,
  ...insight,
  ...messages,
  ...needs,
  ...checkTexts,
  ...failureTexts,
  ...networkTexts,
  ...problemTexts,
  ...reports,
  ...targetTexts,
} as const;
