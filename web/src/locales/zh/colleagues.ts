import type { colleagues as en } from '../en/colleagues.ts';
import type { Texts } from '../texts.ts';

export const colleagues: Texts<typeof en> = {
  title: '同事',
  hint: '同事使用自己的用户名登录，并代表此账号操作。操作记录中会显示其姓名。',
  empty: '还没有同事',
  invite: '邀请同事',
  name: '姓名',
  operator: '操作员',
  readOnly: '只读',
  operatorHint: '可执行除管理同事以外的所有操作。',
  readOnlyHint: '可查看全部内容，但不能更改。',
  invitedUntil: '已邀请 · 链接有效期至 {{date}}',
  shareText: '请通过此链接加入账号：',
  disabledAbove: '已被上级禁用',
  rename: '重命名',
  makeOperator: '设为操作员',
  makeReadOnly: '设为只读',
  disableTitle: '禁用 {{name}}？',
  disableBody: '该同事的所有会话将立即结束，已下达的操作会继续执行。',
  deleteTitle: '删除 {{name}}？',
  deleteBody: '该同事的所有会话将立即结束，其完成的操作会保留在账号中。此操作无法撤销。',
  revokeTitle: '撤销对 {{name}} 的邀请？',
  revokeBody: '该链接将失效。',
};
