import { useQuery } from '@tanstack/react-query';
import { useSession } from '../platform/session.ts';
import { approvalCountQuery, releaseRequestCountQuery, shortCountQuery } from '../queries/approvals.ts';
import { homeQuery, waitingDevicesQuery } from '../queries/home.ts';
import { runningTakeoversQuery } from '../queries/takeovers.ts';
import { isAwaited, useWaits } from '../ui/feedback/pending.ts';

/**
 * Whether the home page waits for the first answers of all parts above its links and buttons: a part that arrived later
 * would move them away from a finger. A call that fails ends the wait.
 */
export function useWaitsForHome(): boolean {
  const { leading } = useSession();
  const answers = [
    useQuery(homeQuery),
    useQuery(runningTakeoversQuery),
    useQuery({ ...waitingDevicesQuery, refetchInterval: false }),
    useQuery({ ...approvalCountQuery, enabled: leading }),
    useQuery({ ...releaseRequestCountQuery, enabled: leading }),
    useQuery({ ...shortCountQuery, enabled: leading }),
  ];
  return useWaits(answers.some(isAwaited));
}
