import type { Texts } from '../texts.ts';
import { common } from './common.ts';

export const spanish: Texts = { ...common };
