/** Placeholder until the first route is loaded; the same as in index.html. */
export const Splash = () => (
  <div className="splash">
    <img src="/favicon.svg" alt="" width="72" height="72" />
  </div>
);
