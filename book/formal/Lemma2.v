(* Lemma 2 of the paper: one vector of a basis is replaced. *)
From Coq Require Import Reals Lra Lia Psatz.
Require Import Angles Vectors Plane Lemma3.
Local Open Scope R_scope.

(* The first k vectors a, and b as the next one. *)
Definition with_last k (a : nat -> vec) (b : vec) : nat -> vec :=
  fun i => if Nat.eqb i k then b else a i.

Lemma in_last k a b v : in_span (S k) (with_last k a b) v <->
  exists p c, in_span k a p /\ forall j, v j = 1 * p j + c * b j.
Proof.
  unfold in_span, with_last; split.
  - intros [c H]; exists (fun j => sum k (fun i => c i * a i j)), (c k).
    split; [now exists c|]; intros j; rewrite H; cbn; rewrite Nat.eqb_refl, Rmult_1_l.
    f_equal; apply sum_ext; intros i Hi; destruct (Nat.eqb_spec i k); [lia|trivial].
  - intros (p & x & [c H] & E); exists (fun i => if Nat.eqb i k then x else c i).
    intros j; rewrite E, H; cbn; rewrite Nat.eqb_refl, Rmult_1_l.
    f_equal; apply sum_ext; intros i Hi; destruct (Nat.eqb_spec i k); [lia|trivial].
Qed.

Section Lemma2.
Variables (n k : nat) (a : nat -> vec) (b t : vec) (beta : R).
Hypotheses (Hb : nonzero n b) (Ht : nonzero n t) (Hbeta : 0 < beta <= PI / 2).
Hypothesis separated : apart n t k a beta.
Let alpha := angle n b t.

Theorem Lemma2 : within n (S k) (with_last k a b) (with_last k a t)
  (PI / 2 * (angle n b t / beta)).
Proof.
  intros u Hu Nu; apply in_last in Hu as (p & c & Hp & E); pose proof PI_RGT_0.
  assert (U : forall v, dot n u v = 1 * dot n p v + c * dot n b v).
  { intros v; rewrite <- dot_lin; apply sum_ext; intros; now rewrite E. }
  assert (In : forall e s, in_span (S k) (with_last k a t)
      (fun j => e * p j + s * t j)).
  { intros e s; apply in_last; exists (fun j => e * p j), s.
    split; [now apply scaled|intros; ring]. }
  fold alpha; pose proof (angle_range n b t) as R2; fold alpha in R2.
  destruct (cos_angle n b t Hb Ht) as (Q & Q0 & Q2 & Eb); fold alpha in Eb.
  destruct (Rle_or_lt beta alpha) as [G|L].
  - (* the bound is pi/2 or more: t or -t will do *)
    assert (exists s, (s = 1 \/ s = -1) /\ 0 <= s * dot n u t) as (s & Hs & S0).
    { destruct (Rle_or_lt 0 (dot n u t)); [exists 1|exists (-1)]; split; lra. }
    exists (fun j => 0 * p j + s * t j); split; [apply In|].
    assert (W : nonzero n (fun j => 0 * p j + s * t j)).
    { unfold nonzero in *; rewrite dot_lin, !dot_lin_r; destruct Hs; subst; lra. }
    split; trivial; destruct (cos_angle n u _ Nu W) as (P & P0 & _ & Ew).
    rewrite dot_lin_r in Ew; set (psi := angle n u _) in *.
    pose proof (angle_range n u (fun j => 0 * p j + s * t j)) as R; fold psi in R.
    apply Rle_trans with (PI / 2).
    + apply Rnot_lt_le; intros C; assert (cos psi < 0) by (apply cos_lt_0; lra); nra.
    + assert (1 <= alpha / beta) by (apply Rmult_le_reg_r with beta; [lra|];
        unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra); nra.
  - assert (0 < sin beta ^ 2 /\ sin beta ^ 2 = 1 - cos beta ^ 2) as [B0 B1].
    { pose proof (sin2_cos2 beta) as K; unfold Rsqr in K.
      assert (0 < sin beta) by (apply sin_gt_0; lra); split; nra. }
    assert (A1 : sin alpha ^ 2 = 1 - cos alpha ^ 2) by
      (pose proof (sin2_cos2 alpha) as K; unfold Rsqr in K; lra).
    assert (AB : sin alpha ^ 2 < sin beta ^ 2).
    { assert (0 <= sin alpha) by (apply sin_ge_0; lra).
      assert (sin alpha < sin beta) by (apply sin_increasing_1; lra); nra. }
    assert (0 < cos alpha) by (apply cos_gt_0; lra).
    pose proof (U p) as Up; pose proof (U b) as Ub; pose proof (U t) as Ut.
    pose proof (U u) as Uu; rewrite (dot_sym n p u), (dot_sym n b u), Up, Ub in Uu.
    rewrite (dot_sym n b p) in Uu, Up; unfold nonzero in Hb, Ht, Nu.
    destruct (Rle_lt_or_eq_dec 0 (dot n p p) (dot_pos n p)) as [P0|P0].
    + pose proof (far n k a t beta p Ht Hbeta separated Hp P0) as F.
      pose proof (cauchy n (fun j => dot n p p * b j + - dot n p b * p j)
        (fun j => dot n p p * t j + - dot n t p * p j)) as D.
      rewrite !dot_lin, !dot_lin_r, (dot_sym n b p), (dot_sym n p t) in D.
      pose proof (cauchy n b p) as C; rewrite (dot_sym n b p) in C.
      rewrite (dot_sym n p t) in Ut.
      set (P := dot n p p) in *; set (bp := dot n p b) in *; set (tp := dot n t p) in *.
      set (bb := dot n b b) in *; set (tt := dot n t t) in *.
      set (bt := dot n b t) in *.
      set (uu := dot n u u) in *.
      assert (T0 : tt * sin beta ^ 2 <= tt - tp ^ 2 / P).
      { apply Rmult_le_reg_r with P; trivial; rewrite B1.
        replace ((tt - tp ^ 2 / P) * P) with (tt * P - tp ^ 2) by (field; lra); lra. }
      pose proof (core P (bp / P) (tp / P) (bb - bp ^ 2 / P) (tt - tp ^ 2 / P)
        (bt - bp * tp / P) c (sin beta ^ 2) (sin alpha ^ 2)) as K.
      replace (bb - bp ^ 2 / P + (bp / P) ^ 2 * P) with bb in K by (field; lra).
      replace (tt - tp ^ 2 / P + (tp / P) ^ 2 * P) with tt in K by (field; lra).
      replace (bt - bp * tp / P + bp / P * (tp / P) * P) with bt in K by (field; lra).
      replace (bp / P * P) with bp in K by (field; lra).
      replace (tp / P * P) with tp in K by (field; lra).
      set (s := c * (bt - bp * tp / P) / (tt - tp ^ 2 / P)) in K.
      set (e := 1 + c * (bp / P) - s * (tp / P)) in K; cbn zeta in K.
      replace (P + 2 * c * bp + c ^ 2 * bb) with uu in K by (rewrite Uu; ring).
      destruct K as [K1 K2]; trivial.
      * apply Rmult_le_reg_r with P; trivial.
        replace ((bb - bp ^ 2 / P) * P) with (bb * P - bp ^ 2) by (field; lra); lra.
      * pose proof (Rmult_lt_0_compat _ _ Ht B0); lra.
      * apply Rmult_le_reg_r with (P ^ 4); [now apply pow_lt|].
        eapply Rle_trans; [|eapply Rle_trans; [exact D|]]; right; field; lra.
      * apply pow2_ge_0.
      * rewrite A1, <- Q2, Eb; ring.
      * fold e in K1, K2; set (ww := e ^ 2 * P + 2 * e * s * tp + s ^ 2 * tt) in *.
        pose (w := fun j => e * p j + s * t j); exists w; split; [apply In|].
        assert (Ew : dot n w w = ww).
        { unfold w; rewrite dot_lin, !dot_lin_r, (dot_sym n p t).
          unfold ww, P, tp, tt; ring. }
        assert (Eu : dot n u w = ww).
        { unfold w; rewrite dot_lin_r, Up, Ut, <- K2; ring. }
        assert (W : 0 < ww).
        { pose proof (dot_pos n w) as [W|W]; rewrite Ew in W; trivial.
          rewrite <- W in K1; nra. }
        split; [unfold nonzero; now rewrite Ew|].
        apply close; rewrite ?Ew, ?Eu; unfold nonzero; fold uu; try lra.
        replace ((uu * ww - ww ^ 2) * sin beta ^ 2)
          with (ww * ((uu - ww) * sin beta ^ 2)) by ring.
        replace (uu * ww * sin alpha ^ 2) with (ww * (uu * sin alpha ^ 2)) by ring.
        apply Rmult_le_compat_l; lra.
    + assert (Z : forall v, dot n p v = 0).
      { intros v; pose proof (cauchy n p v) as C; rewrite <- P0 in C; nra. }
      pose (w := fun j => 0 * p j + c * t j); exists w; split; [apply In|].
      repeat rewrite Z in Uu; rewrite Z in Ut; clear P0 Up Ub.
      assert (Ew : dot n w w = c ^ 2 * dot n t t).
      { unfold w; rewrite dot_lin, !dot_lin_r, (dot_sym n t p), !Z; ring. }
      assert (Eu : dot n u w = c ^ 2 * dot n b t).
      { unfold w; rewrite dot_lin_r, Ut; ring. }
      assert (C : 0 < c ^ 2).
      { destruct (Rtotal_order c 0) as [C|[->|C]]; [nra| |nra].
        unfold nonzero in *; lra. }
      assert (W : nonzero n w) by
        (unfold nonzero; rewrite Ew; now apply Rmult_lt_0_compat).
      split; trivial; apply close; trivial; try lra; rewrite ?Ew, ?Eu.
      * rewrite Eb; apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra].
      * rewrite Uu, Eb.
        replace (1 * (1 * 0 + c * 0) + c * (1 * 0 + c * dot n b b))
          with (c ^ 2 * dot n b b) by ring.
        replace (c ^ 2 * dot n b b * (c ^ 2 * dot n t t)) with (c ^ 4 * Q ^ 2) by
          (rewrite Q2; ring).
        replace (c ^ 4 * Q ^ 2 - (c ^ 2 * (cos alpha * Q)) ^ 2)
          with (c ^ 4 * Q ^ 2 * sin alpha ^ 2) by (rewrite A1; ring).
        pose proof (pow2_ge_0 (cos beta)).
        rewrite <- (Rmult_1_r (c ^ 4 * Q ^ 2 * sin alpha ^ 2)) at 2.
        apply Rmult_le_compat_l; [|lra].
        replace (c ^ 4 * Q ^ 2 * sin alpha ^ 2)
          with ((c ^ 2 * Q * sin alpha) ^ 2) by ring.
        apply pow2_ge_0.
Qed.
End Lemma2.
Print Assumptions Lemma2.
