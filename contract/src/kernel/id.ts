import { z } from 'zod';

/** An id in a request, in lower case: PostgreSQL takes both cases for the same id, comparisons in code do not. */
export const Id = z.uuid().toLowerCase();
