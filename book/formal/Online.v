(* Theorem 3 of the paper: how often Algorithm 4 learns from scratch. *)
From mathcomp Require Import all_ssreflect.
Require Import Algorithm3 Lemma4 Monotone.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Payment.
Variables (V : finType) (TS : {set {set V}}) (T : {set V}).
Local Notation TS' := (T |: TS).
Local Notation N := (N TS).
Local Notation N' := (Algorithm3.N TS').

(* What a payment does: it ends an arrow that has no arrow back, or there is one
   metafeature more. *)
Lemma payment P : run TS P -> represents TS P -> uncovered P T != set0 ->
  (exists x w, [/\ x \in T, w \notin T & N x \proper N w]) \/ #|M TS| < #|M TS'|.
Proof.
move=> hP hR hT.
case: (boolP [exists x in T, exists w, (w \notin T) && (N x \proper N w)]).
  (* 1: an arrow out of T that has no arrow back *)
  by case/existsP=> x /andP[hx /existsP[w /andP[hw hs]]]; left; exists x, w.
move=> none.
have back x w : x \in T -> w \notin T -> N x \subset N w -> N x = N w.
  move=> hx hw hs; apply/eqP; rewrite eqEsubset hs /=; apply: contraR none => h.
  apply/existsP; exists x; rewrite hx; apply/existsP; exists w.
  by rewrite hw properE hs.
right.
case: (boolP [exists x in T, exists w, (w \notin T) && (N x == N w)]).
  (* 2: T splits a class *)
  case/existsP=> x /andP[hx /existsP[w /andP[hw /eqP E]]].
  apply: (one_more hx) => [z hz|z p hp /and3P[/eqP Ez _ /implyP h] hz].
    apply/negP; rewrite E => hs; have := back _ _ hz hw (proper_sub hs).
    by move=> Ezw; rewrite Ezw properxx in hs.
  apply/negP => /eqP Ezx; have /forallP/(_ w) := h hz.
  by rewrite (negbTE hw) implybF -Ez (cl_eq (etrans Ezx E)) eqxx.
(* 3: every closure of a variable of T lies in T *)
move=> none2.
have inside x w : x \in T -> N x \subset N w -> w \in T.
  move=> hx hs; apply: contraR none2 => hw; apply/existsP; exists x; rewrite hx.
  by apply/existsP; exists w; rewrite hw; apply/eqP/back.
case/set0Pn: hT => j /uncoveredP[hj hun].
pose A := [pred z in T | N z \subset N j].
have Aj : A j by rewrite /= hj subxx.
case: (@arg_minnP _ j A (fun z => #|N z|) Aj) => i /andP[hi hij] hmin.
apply: (one_more hi) => [z hz|z p hp /and3P[/eqP Ez _ _] hz].
  apply/negP => hs; have /hmin : A z.
    by rewrite /= hz (subset_trans (proper_sub hs)).
  by rewrite leqNgt proper_card.
apply/negP => /eqP E; have hpP : p \in P by rewrite (canonical hP hR).
have hpT : p \subset T.
  by rewrite -Ez; apply/subsetP => x; rewrite clE => hs; apply: inside hz hs.
by have := hun p hpP hpT; rewrite -Ez clE E hij.
Qed.

(* In case 1 a pair of variables becomes incomparable. *)
Lemma parted x w : x \in T -> w \notin T -> N x \proper N w ->
  (x, w) \notin apart TS /\ (x, w) \in apart TS'.
Proof.
move=> hx hw /properP[hs [U hU hn]]; rewrite !inE /= hs; split=> //; apply/andP; split.
  by apply: contra hw => /N'_in; apply.
by apply/negP => /N'_sub /subsetP/(_ U hU); apply/negP.
Qed.
Lemma apart_sym F (x w : V) : ((x, w) \in apart F) = ((w, x) \in apart F).
Proof. by rewrite !inE andbC. Qed.

Lemma pays P : run TS P -> represents TS P -> uncovered P T != set0 ->
  2 * #|M TS| + #|apart TS| + 2 <= 2 * #|M TS'| + #|apart TS'|.
Proof.
move=> hP hR hT; case: (payment hP hR hT) => [[x [w [hx hw hs]]]|h]; last first.
  rewrite addnAC; apply: leq_add (subset_leq_card (apart_kept TS T)).
  by rewrite addnC -mulnS leq_mul2l.
have [h1 h2] := parted hx hw hs; rewrite -addnA; apply: leq_add.
  by rewrite leq_mul2l monotone.
have h3 : (w, x) \notin (x, w) |: apart TS.
  by rewrite in_setU1 negb_or -apart_sym h1 andbT; apply: contra hw => /eqP[->].
rewrite addnC -[2 + _]/((1 + (1 + #|apart TS|))).
have -> : 1 + (1 + #|apart TS|) = #|(w, x) |: ((x, w) |: apart TS)|.
  by rewrite !cardsU1 h1 h3.
apply: subset_leq_card; apply/subsetP => e; rewrite !in_setU1.
case/or3P=> [/eqP->|/eqP->|he] //; first by rewrite -apart_sym.
exact: (subsetP (apart_kept TS T)).
Qed.
End Payment.

Section Online.
Variable V : finType.
Definition kept (L : seq {set V}) := [set T in L].

(* Algorithm 4: S has arrived so far, L was learned from scratch. *)
Inductive online : seq {set V} -> seq {set V} -> Prop :=
| nothing : online [::] [::]
| free S L T P : online S L -> run (kept L) P -> represents (kept L) P ->
    uncovered P T = set0 -> online (T :: S) L
| scratch S L T P : online S L -> run (kept L) P -> represents (kept L) P ->
    uncovered P T != set0 -> online (T :: S) (T :: L).

Lemma kept_cons T L : kept (T :: L) = T |: kept L.
Proof. by apply/setP => U; rewrite !inE. Qed.

Lemma kept_sub S L T : online S L -> T \in kept L -> T \in S.
Proof.
elim; rewrite ?inE // => {}S {}L U P _ IH _ _ _; rewrite !inE.
  by move=> h; rewrite IH ?orbT ?inE.
by case/orP=> [->//|h]; rewrite IH ?orbT ?inE.
Qed.
Lemma potential S L : online S L ->
  2 * size L <= 2 * #|M (kept L)| + #|apart (kept L)|.
Proof.
elim=> // {}S {}L T P _ IH hP hR hT; rewrite kept_cons /= mulnS addnC.
by apply: leq_trans (pays hP hR hT); rewrite leq_add2r.
Qed.

Lemma apart_few (F : {set {set V}}) : #|apart F| <= #|V| * #|V|.-1.
Proof.
have /subset_leq_card h : apart F \subset ~: [set (x, x) | x in V].
  apply/subsetP => e; rewrite !inE => /andP[h _]; apply: contra h => /imsetP[x _ ->].
  exact: subxx.
apply: leq_trans h _; rewrite cardsCs setCK card_imset; last by move=> x y [].
by rewrite card_prod -[X in _ - X]muln1 -mulnBr subn1.
Qed.

(* Any targets at all. *)
Theorem Theorem3_any S L : online S L -> 2 * size L <= #|V| * #|V|.+1.
Proof.
move/potential=> h; apply: leq_trans h _.
have hM : #|M (kept L)| <= #|V| by apply: leq_trans (leq_imset_card _ _) (max_card _).
apply: leq_trans (leq_add (leq_mul (leqnn 2) hM) (apart_few _)) _.
by case: #|V| => // n; rewrite mulnC -mulnDr.
Qed.

(* Theorem 3, with less than half of the printed n^2, and as printed. *)
Theorem Theorem3 k (m : 'I_k -> {set V}) (y : 'I_k -> V) S L : online S L ->
  (forall i j, (y i \in m j) = (i == j)) ->
  (forall T, T \in S -> exists J : {set 'I_k}, T = \bigcup_(j in J) m j) ->
  2 * size L <= 2 * k + #|V| * #|V|.-1 /\ size L <= #|V| ^ 2 + k.
Proof.
move=> hO anchored unions.
have hM := least anchored (fun T hT => unions T (kept_sub hO hT)).
have h : 2 * size L <= 2 * k + #|V| * #|V|.-1.
  apply: leq_trans (potential hO) _.
  exact: leq_add (leq_mul (leqnn 2) hM) (apart_few _).
split=> //; rewrite -(leq_pmul2l (isT : 0 < 2)); apply: leq_trans h _.
rewrite mulnDr addnC leq_add2r -mulnn; apply: leq_trans (leq_pmull _ _) => //.
by rewrite leq_mul2l leq_pred orbT.
Qed.
End Online.
Print Assumptions Theorem3_any.
Print Assumptions Theorem3.
