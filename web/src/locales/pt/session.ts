import type { session as en } from '../en/session.ts';
import type { Texts } from '../texts.ts';

export const session: Texts<typeof en> = {
  login: 'Entrar',
  loginTitle: 'Boas-vindas de volta',
  tagline: 'Todas as telas da cidade na sua mão.',
  username: 'Nome de usuário',
  password: 'Senha',
  confirmPassword: 'Confirmar senha',
  captcha: 'Código de verificação',
  captchaPicture: 'Código de verificação em imagem',
  captchaAnother: 'Toque para ver outro',
  registerByCode: 'Cadastrar-se com um código de convite',
  selfRegister: 'Criar uma conta',
  haveAccount: 'Já tem conta? Entrar',
  registerTitle: 'Cadastrar usuário',
  register: 'Cadastrar-se',
  invitationCode: 'Código de convite',
  checkCode: 'Verificar o código',
  checkingCode: 'Verificando o código de convite…',
  invitedBy: 'Convite de {{username}}',
  noCode: 'Não tem código? Crie uma conta sem ele',
  usernameHint: 'De 4 a 20 letras e números',
  passwordHint: 'Pelo menos 8 caracteres',
  selfRegisterClosed: 'O cadastro livre está fechado aqui. Peça um código de convite ao seu revendedor.',
  logoutDone: 'Você saiu',
  loggingOut: 'Saindo…',
};
