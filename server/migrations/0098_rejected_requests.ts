import { type Kysely, sql } from 'kysely';

/** The home page of a customer counts its rejected requests with each look. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index release_requests_rejected on release_requests (requested_by) where state = 'rejected';
    create index campaigns_rejected on campaigns (requested_by) where state = 'rejected';
  `.execute(db);
}
