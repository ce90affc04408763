/**
 * The paths of all pages, apart from the router, which needs a browser. Neither a page whose path is missing here
 * compiles, nor a path that no story visits (e2e/house.ts).
 */
export type PagePath =
  | '/login'
  | '/register/:code'
  | '/logout'
  | '/'
  | '/user'
  | '/user/add'
  | '/user/:id'
  | '/password'
  | '/second-factor'
  | '/invitations'
  | '/audit'
  | '/mac'
  | '/mac/:id'
  | '/scancode'
  | '/file'
  | '/matlist/:id/:username?/:tactive?/:vactive?/:hactive?/:teamid?/:type?'
  | '/upload/:id/:username/:tactive/:vactive/:hactive/:teamid/:type'
  | '/ad'
  | '/adlist/:id/:username/:mp4/:img/:ad_num'
  | '/release/:id/:teamid/:type'
  | '/releases'
  | '/reports'
  | '/releases/:id'
  | '/applist'
  | '/appdetails/:id/:name/:content/:url/:ctime/:forced/:code/:istype'
  | '/appupload'
  | '/settings'
  | '/alerts'
  | '*';
