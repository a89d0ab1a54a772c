import type { Texts } from '../texts.ts';
import { common } from './common.ts';

export const bengali: Texts = { ...common };
