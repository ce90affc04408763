import { afterAll } from 'vitest';
import { endFile } from './endings.ts';

afterAll(endFile);
