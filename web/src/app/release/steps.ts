import { useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

export type Step = 'content' | 'devices';

/** The step of the form, in the address: the second is an entry of the history, so that back leads to the first. */
export function useSteps() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const [params, setParams] = useSearchParams();
  const pushed = useRef(false);
  const wanted: Step = params.get('step') === 'devices' ? 'devices' : 'content';

  /** Leaves no entry of the second step behind. */
  const undo = async (): Promise<void> => {
    if (!pushed.current || wanted !== 'devices') return;
    pushed.current = false;
    const popped = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
    await navigate(-1);
    await popped;
  };
  const to = (step: Step): void => {
    window.scrollTo(0, 0);
    if (step === 'content' && pushed.current) return void undo();
    const next = new URLSearchParams(params);
    if (step === 'devices') next.set('step', 'devices');
    else next.delete('step');
    pushed.current = step === 'devices';
    // The entry of the history may name the devices that the form began with.
    setParams(next, { replace: step === 'content', state });
  };
  return { wanted, to, undo };
}
