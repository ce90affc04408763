/** What stands on the page until the first route is there: the same as in index.html, which shows it before any script. */
export const Splash = () => (
  <div className="splash">
    <img src="/favicon.svg" alt="" width="72" height="72" />
  </div>
);
