import type { Texts } from '../catalogue.ts';
import { checks } from './checks.ts';
import { common } from './common.ts';
import { desk } from './desk.ts';
import { failures } from './failures.ts';
import { insight } from './insight.ts';
import { messages } from './messages.ts';
import { needs } from './needs.ts';
import { network } from './network.ts';
import { problems } from './problems.ts';
import { reports } from './reports.ts';
import { targets } from './targets.ts';

export const turkish: Texts = {
  ...checks,
  ...common,
  ...desk,
  ...insight,
  ...messages,
  ...needs,
  ...network,
  ...failures,
  ...problems,
  ...reports,
  ...targets,
};
